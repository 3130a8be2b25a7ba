;;; The same as neovim.lua, with eglot. -*- lexical-binding: t -*-

(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'json)
(require 'python)

(defun lsp-test-wait (what holds)
  (let ((end (+ (float-time) 120)))
    (while (not (funcall holds))
      (when (> (float-time) end) (error "It took too long: %s" what))
      (accept-process-output nil 0.01))))

(defun lsp-test-codes ()
  "The findings as flymake has them, with the text that each covers."
  (sort (mapcar (lambda (found)
                  (concat (car (split-string (flymake-diagnostic-text found) "\n")) " | "
                          (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))
                (flymake-diagnostics))
        #'string<))

(defun lsp-test-apply (kind beg end title)
  "Ask for the actions of a kind, and apply the one with this in its title."
  (eglot--signal-textDocument/didChange)
  (let* ((server (eglot-current-server))
         (actions (jsonrpc-request server :textDocument/codeAction
                                   (list :textDocument (eglot--TextDocumentIdentifier)
                                         :range (list :start (eglot--pos-to-lsp-position beg)
                                                      :end (eglot--pos-to-lsp-position end))
                                         :context (list :diagnostics [] :only (vector kind)))))
         (action (seq-find (lambda (each) (string-search title (plist-get each :title))) actions)))
    (unless action (error "There is no such action: %s" title))
    (unless (plist-get action :edit)
      (setq action (jsonrpc-request server :codeAction/resolve action)))
    (eglot--apply-workspace-edit (plist-get action :edit))))

(let ((report nil))
  (condition-case problem
      (progn
        (load (getenv "LSP_CONFIGURATION"))
        (setq eglot-sync-connect 120
              eglot-confirm-server-initiated-edits nil
              create-lockfiles nil)
        (find-file (getenv "LSP_FILE"))
        (python-mode)
        (apply #'eglot (eglot--guess-contact))
        (flymake-start)
        (lsp-test-wait "diagnostics" (lambda () (flymake-diagnostics)))
        (push (cons 'before (vconcat (lsp-test-codes))) report)
        (push (cons 'coding (symbol-name buffer-file-coding-system)) report)
        (let* ((count (length (flymake-diagnostics)))
               (map (seq-find (lambda (each) (string-search "[TFD102]" (flymake-diagnostic-text each)))
                              (flymake-diagnostics)))
               (place (flymake-diagnostic-beg map)))
          (lsp-test-apply "quickfix" place place "AUTOTUNE` (TFD102)")
          (eglot--signal-textDocument/didChange)
          (lsp-test-wait "the quick fix" (lambda () (flymake-start) (< (length (flymake-diagnostics)) count)))
          (push (cons 'between (vconcat (lsp-test-codes))) report))
        (lsp-test-apply "source.fixAll.tfdata-lint" (point-min) (point-min) "Fix all")
        (let ((require-final-newline nil)) (save-buffer)))
    (error (push (cons 'problem (format "%S" problem)) report)))
  (with-temp-file (getenv "LSP_REPORT") (insert (json-encode report))))
