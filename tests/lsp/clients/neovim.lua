-- Opens the file of $LSP_FILE, notes what its diagnostics cover, applies a quick fix and fixes the rest, and saves it.
local report = {}
-- In milliseconds: after that something hangs.
local PATIENCE = 120000

local function wait(what, holds)
  if not vim.wait(PATIENCE, holds, 10) then
    error("it took too long: " .. what)
  end
end

local function covered(diagnostic)
  local row = vim.api.nvim_buf_get_lines(0, diagnostic.lnum, diagnostic.lnum + 1, true)[1]
  return row:sub(diagnostic.col + 1, diagnostic.end_col)
end

local function codes()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, diagnostic.code .. " " .. covered(diagnostic))
  end
  table.sort(found)
  return found
end

local function apply(client, kind, title)
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = {}, only = { kind } }
  local answer = assert(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, PATIENCE))
  for _, action in ipairs(answer[client.id].result) do
    if action.title:find(title, 1, true) then
      if not action.edit then
        local resolved = assert(vim.lsp.buf_request_sync(0, "codeAction/resolve", action, PATIENCE))
        action = resolved[client.id].result
      end
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
      return
    end
  end
  error("there is no such action: " .. title)
end

local function run()
  local notify = vim.notify
  vim.notify = function(text) report.warning = text end
  dofile(vim.env.LSP_CONFIGURATION)
  vim.notify = notify
  report.is_old = vim.fn.has("nvim-0.8") == 0
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.LSP_FILE))
  report.fileformat = vim.bo.fileformat
  if report.is_old then
    -- There is only this.
    local root = vim.fn.fnamemodify(vim.env.LSP_FILE, ":h")
    vim.lsp.buf_attach_client(0, vim.lsp.start_client({ cmd = { "tfdata-lint", "server" }, root_dir = root }))
  end
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  report.before = codes()

  local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
  report.encoding = client.offset_encoding
  local first = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local count = #report.before
  apply(client, "quickfix", "(" .. first.code .. ")")
  wait("the quick fix", function() return #vim.diagnostic.get(0) < count end)
  report.between = codes()
  apply(client, "source.fixAll.tfdata-lint", "Fix all")
  vim.cmd("write")
end

local ok, problem = pcall(run)
report.problem = not ok and tostring(problem) or nil
vim.fn.writefile({ vim.json.encode(report) }, vim.env.LSP_REPORT)
vim.cmd("qa!")
