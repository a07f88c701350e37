"""The target board, `org.garabench.board`: what an agent's wiring is checked on."""
