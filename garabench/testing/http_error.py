"""Error responses of the fake model server."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """The request is answered with an error, in the form of OpenAI's.

    Attributes:
        status: HTTP status.
        message: What is wrong, for a person.
        code: For a program, such as ``model_not_found``.
        param: Which parameter is wrong, or None.
    """

    def __init__(self, status: int, message: str, *, code: str = "", param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.param = param

    @property
    def body(self) -> dict[str, Any]:
        """Return the JSON body of the error."""
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        if self.status == 429:
            kind = "rate_limit_error"
        error = {"message": self.message, "type": kind, "param": self.param, "code": self.code or None}
        return {"error": error}
