"""The language server: protocol in, engine, protocol out. Needs the extra `lsp`."""
