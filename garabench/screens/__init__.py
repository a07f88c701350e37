"""Crawl the screens of the virtual phone for their texts, and draw galleries of interruptions and anomalies.

May import `virtual`, `interruptions`, `device`, `suite` and everything below them.
Start with `text_crawler` for texts, `gallery` for pictures; `gallery_page` is their HTML.
"""
