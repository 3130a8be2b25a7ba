;;; tfdata-lint.el --- tfdata-lint in Emacs, with eglot or lsp-mode  -*- lexical-binding: t -*-

;; Load this file, then `M-x eglot' in a Python buffer.

;;; Code:

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  ;; eglot runs one server in a buffer. Who has another one for Python chooses this one with `C-u M-x eglot'.
  (add-to-list 'eglot-server-programs '((python-mode python-ts-mode) "tfdata-lint" "server")))

(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")
(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("tfdata-lint" "server"))
                    :activation-fn (lsp-activate-on "python")
                    :add-on? t
                    :server-id 'tfdata-lint)))

(provide 'tfdata-lint)
;;; tfdata-lint.el ends here
