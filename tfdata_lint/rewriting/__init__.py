"""How fixes are written: edits of the text, in the style of the code around them."""
