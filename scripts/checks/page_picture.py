"""Prints an SVG that shows the top of an HTML page, which must be well-formed XML and hold all that it needs.

usage: page_picture.py PAGE HEIGHT    The picture holds no script; a viewer draws it as it draws the page.
"""
import re
import sys

WIDTH = 960
page, height = open(sys.argv[1], encoding="utf-8").read(), int(sys.argv[2])
style = re.search(r"<style>(.*?)</style>", page, re.DOTALL).group(1)
body = re.search(r"<body>(.*)</body>", page, re.DOTALL).group(1)
title = re.search(r"<title>(.*?)</title>", page).group(1)
# In a picture there is no root element of HTML: what the page says of it and of its body holds for the one that stands for both.
style = re.sub(r"(?<![\w.#-])(:root|html|body)(?![\w-])", ".page", style)
body = body.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">')
print(f"<title>{title}</title>")
print(f"<style>{style}</style>")
print(f'<foreignObject width="{WIDTH}" height="{height}">')
print(f'<div xmlns="http://www.w3.org/1999/xhtml" class="page" style="height:{height}px;overflow:hidden">{body}</div>')
print("</foreignObject>")
print("</svg>")
