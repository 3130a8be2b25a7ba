-- tfdata-lint in Neovim 0.8 or later: copy this file to ~/.config/nvim/plugin/.

local config = {
  name = "tfdata-lint",
  cmd = { "tfdata-lint", "server" },
  filetypes = { "python" },
  root_markers = { "tfdata-lint.toml", ".tfdata-lint.toml", "pyproject.toml", ".git" },
  -- See docs/editors.md for what can be set here.
  init_options = {},
}

if vim.lsp.config then
  vim.lsp.config("tfdata_lint", config)
  vim.lsp.enable("tfdata_lint")
else
  vim.api.nvim_create_autocmd("FileType", {
    pattern = config.filetypes,
    callback = function(event)
      local found = vim.fs.find(config.root_markers, { upward = true, path = vim.fs.dirname(event.file) })[1]
      vim.lsp.start(vim.tbl_extend("error", config, { root_dir = vim.fs.dirname(found or event.file) }))
    end,
  })
end

vim.api.nvim_create_user_command("TfdataLintFix", function()
  vim.lsp.buf.code_action({ apply = true, context = { diagnostics = {}, only = { "source.fixAll.tfdata-lint" } } })
end, { desc = "Fix all that tfdata-lint can fix safely" })
