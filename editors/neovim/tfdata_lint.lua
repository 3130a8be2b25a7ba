-- tfdata-lint in Neovim 0.8 or later: copy this file to ~/.config/nvim/plugin/.

if vim.fn.has("nvim-0.8") == 0 then
  vim.notify("tfdata_lint.lua needs Neovim 0.8 or later", vim.log.levels.WARN)
  return
end

local config = {
  name = "tfdata-lint",
  cmd = { "tfdata-lint", "server" },
  filetypes = { "python" },
  root_markers = { "tfdata-lint.toml", ".tfdata-lint.toml", "pyproject.toml", ".git" },
  -- See docs/editors.md for what can be set here.
  init_options = {},
}

if vim.fn.has("nvim-0.11") == 1 then
  vim.lsp.config("tfdata_lint", config)
  vim.lsp.enable("tfdata_lint")
else
  vim.api.nvim_create_autocmd("FileType", {
    pattern = config.filetypes,
    callback = function(event)
      local file = vim.api.nvim_buf_get_name(event.buf)
      local found = vim.fs.find(config.root_markers, { upward = true, path = vim.fs.dirname(file) })[1]
      vim.lsp.start(vim.tbl_extend("error", config, { root_dir = vim.fs.dirname(found or file) }))
    end,
  })
end

vim.api.nvim_create_user_command("TfdataLintFix", function()
  vim.lsp.buf.code_action({ apply = true, context = { diagnostics = {}, only = { "source.fixAll.tfdata-lint" } } })
end, { desc = "Fix all that tfdata-lint can fix safely" })
