"""Error responses of the fake model server."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """An error response.

    Attributes:
        status: HTTP status.
        message: What is wrong.
        code: Machine-readable code, such as ``model_not_found``; empty for none.
        param: The invalid parameter, or None.
    """

    def __init__(self, status: int, message: str, *, code: str = "", param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.param = param

    @property
    def body(self) -> dict[str, Any]:
        """The JSON body of the error in OpenAI's format."""
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        if self.status == 429:
            kind = "rate_limit_error"
        error = {"message": self.message, "type": kind, "param": self.param, "code": self.code or None}
        return {"error": error}
