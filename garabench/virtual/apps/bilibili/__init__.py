"""A working stand-in of Bilibili: `app` has the package, `content` its videos, `store` the lasting state."""
