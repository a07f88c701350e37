"""What a model is shown and told: elements as text, numbered boxes, the steps so far, the request."""
