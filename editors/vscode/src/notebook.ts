/** Fixing notebooks on saving, whatever their first cell is. */

import * as vscode from "vscode";
import { CodeActionRequest, type LanguageClient } from "vscode-languageclient/node";

const KIND = vscode.CodeActionKind.Notebook.append("source.fixAll.tfdata-lint");

/**
 * The editor asks for the actions of a notebook on its first cell only (microsoft/vscode#216653), which is nothing to
 * the server when it holds Markdown: then those of the first cell with code are given.
 */
export class FixesFromFirstCell implements vscode.CodeActionProvider {
  static register(client: () => LanguageClient | undefined): vscode.Disposable {
    const metadata = { providedCodeActionKinds: [KIND] };
    const selector = { notebookType: "jupyter-notebook" };
    return vscode.languages.registerCodeActionsProvider(selector, new FixesFromFirstCell(client), metadata);
  }

  /** What gave the actions, and completes them. */
  private server: vscode.CodeActionProvider | undefined;

  private constructor(private readonly client: () => LanguageClient | undefined) {}

  provideCodeActions(
    document: vscode.TextDocument,
    _: vscode.Range,
    context: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): vscode.ProviderResult<(vscode.CodeAction | vscode.Command)[]> {
    const notebook = vscode.workspace.notebookDocuments.find((each) => each.getCells()[0]?.document === document);
    if (!notebook || document.languageId === "python" || !context.only?.contains(KIND)) {
      return [];
    }
    const code = notebook.getCells().find((cell) => cell.document.languageId === "python")?.document;
    this.server = code && this.client()?.getFeature(CodeActionRequest.method).getProvider(code);
    return code && this.server?.provideCodeActions(code, new vscode.Range(0, 0, 0, 0), context, token);
  }

  resolveCodeAction(action: vscode.CodeAction, token: vscode.CancellationToken): vscode.ProviderResult<vscode.CodeAction> {
    return this.server?.resolveCodeAction?.(action, token);
  }
}
