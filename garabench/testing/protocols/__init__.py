"""The protocols in which the fake model server is asked and answers, beside OpenAI's chat completions."""
