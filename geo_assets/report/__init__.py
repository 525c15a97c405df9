"""The report: one calm HTML page per date, in Chinese and English, and small charts and tables for other pages.

What belongs here: words, layout, charts. What does not: computing numbers (`metrics`) and reading files: rows come in,
a page goes out, and the same rows give the same bytes.
"""
