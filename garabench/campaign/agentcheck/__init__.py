"""Check how an agent is wired: five short episodes on a target board, and what its mistakes look like."""
