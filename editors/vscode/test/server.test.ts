/** A notebook in the hands of the protocol library of Visual Studio Code, with the server as the extension starts it. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import * as lsp from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";

import { find, type Program } from "../src/interpreter";
import { missing, PYTHON } from "./python";

const CELLS = [
  { kind: "markdown", text: "# Training 😋" },
  { kind: "code", text: "import tensorflow as tf\n%matplotlib inline\nds = tf.data.TFRecordDataset(files).shuffle(99)" },
  { kind: "code", text: 'x = "😋"; ds = ds.map(tf.io.decode_jpeg)\nds = ds.batch(32)' },
  { kind: "code", text: "ds = ds.map(tf.image.rgb_to_grayscale)\nmodel.fit(ds)" },
];

/** What the command line says of a file, with the text that each finding covers. */
interface Found {
  code: string;
  cell: number;
  location: { row: number; column: number };
  end_location: { row: number; column: number };
}

describe("a notebook", { skip: missing }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "tfdata-lint-"));
  const file = path.join(folder, "training.ipynb");
  let program: Program;
  let server: ChildProcess;
  let connection: lsp.ProtocolConnection;
  let notebook: Notebook;

  before(async () => {
    writeFileSync(file, saved(CELLS.map((cell) => cell.text)));
    // Newer ones do by themselves what the fixes would.
    writeFileSync(path.join(folder, "requirements.txt"), "tensorflow==2.4\n");
    program = await find([{ path: PYTHON, from: "the test", only: true }], folder);
    server = spawn(program.command, [...program.args, "server"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(server.stdout!),
      new lsp.StreamMessageWriter(server.stdin!),
    );
    notebook = new Notebook(connection, file);
    connection.listen();
    const { capabilities } = await connection.sendRequest(lsp.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "folder" }],
      capabilities: {
        notebookDocument: { synchronization: {} },
        textDocument: {
          codeAction: {
            codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "notebook.source.fixAll"] } },
            dataSupport: true,
            resolveSupport: { properties: ["edit"] },
          },
        },
        workspace: { workspaceEdit: { documentChanges: true } },
      },
    });
    assert.ok(capabilities.notebookDocumentSync);
    await connection.sendNotification(lsp.InitializedNotification.type, {});
    await notebook.open();
  });

  after(async () => {
    await connection?.sendRequest(lsp.ShutdownRequest.type);
    await connection?.sendNotification(lsp.ExitNotification.type);
    const [status] = server ? await once(server, "exit") : [0];
    connection?.dispose();
    rmSync(folder, { recursive: true });
    assert.equal(status, 0);
  });

  test("has findings in its cells, those of the command line", async () => {
    const checked = tfdataLint("check", "--output-format=json", file);
    const expected = (JSON.parse(checked) as Found[]).map((found) => {
      const rows = CELLS[found.cell - 1]!.text.split("\n").map((row) => [...row]);
      const row = rows[found.location.row - 1]!;
      return [found.cell, found.code, row.slice(found.location.column - 1, found.end_location.column - 1).join("")];
    });
    assert.deepEqual(expected, [
      [3, "TFD102", "map(tf.io.decode_jpeg)"],
      [4, "TFD101", "map(tf.image.rgb_to_grayscale)"],
      [4, "TFD102", "map(tf.image.rgb_to_grayscale)"],
    ]);
    await notebook.settled((found) => found === 3);
    assert.deepEqual(notebook.findings(), expected);
  });

  test("takes a quick fix, and the finding goes", async () => {
    const [finding] = notebook.diagnostics(2);
    const actions = await notebook.actions(2, "quickfix", finding!.range);
    const preferred = actions.filter((action) => action.isPreferred);
    assert.deepEqual(
      preferred.map((action) => action.title),
      ["Use `num_parallel_calls=tf.data.AUTOTUNE` (TFD102)"],
    );
    await notebook.apply(preferred[0]!);
    await notebook.settled((found) => found === 2);
    assert.deepEqual(notebook.diagnostics(2), []);
  });

  test("is fixed as a whole, to what `check --fix` writes", async () => {
    assert.deepEqual(await notebook.actions(2, "source.fixAll"), [], "it would come once for each cell");
    const [action, ...others] = await notebook.actions(2, "notebook.source.fixAll.tfdata-lint");
    assert.deepEqual(others, []);
    await notebook.apply(action!);
    await notebook.settled((found) => found === 0);
    tfdataLint("check", "--fix", file);
    const { cells } = JSON.parse(readFileSync(file, "utf8")) as { cells: { source: string }[] };
    assert.deepEqual(
      notebook.texts(),
      cells.map((cell) => cell.source),
    );
    assert.match(notebook.texts()[1]!, /^%matplotlib inline$/m);
  });

  function tfdataLint(...options: string[]): string {
    const { stdout, stderr, error } = spawnSync(program.command, [...program.args, ...options, "--no-cache"], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.equal(error, undefined, stderr);
    return stdout;
  }
});

/** A notebook as an editor has it. */
class Notebook {
  private readonly uri: string;
  private readonly cells: TextDocument[];
  private readonly published = new Map<string, lsp.Diagnostic[]>();
  private version = 1;
  private news = (): void => {};

  constructor(
    private readonly connection: lsp.ProtocolConnection,
    file: string,
  ) {
    this.uri = pathToFileURL(file).href;
    this.cells = CELLS.map(({ kind, text }, index) =>
      TextDocument.create(`vscode-notebook-cell:${file}#${index}`, kind === "code" ? "python" : kind, 1, text),
    );
    connection.onNotification(lsp.PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
      this.published.set(uri, diagnostics);
      this.news();
    });
  }

  open(): Promise<void> {
    return this.connection.sendNotification(lsp.DidOpenNotebookDocumentNotification.type, {
      notebookDocument: {
        uri: this.uri,
        notebookType: "jupyter-notebook",
        version: 1,
        cells: this.cells.map(({ uri, languageId }) => ({
          kind: languageId === "python" ? lsp.NotebookCellKind.Code : lsp.NotebookCellKind.Markup,
          document: uri,
        })),
      },
      cellTextDocuments: this.code().map((cell) => ({
        uri: cell.uri,
        languageId: cell.languageId,
        version: cell.version,
        text: cell.getText(),
      })),
    });
  }

  /** Waits until every cell has been told of, and the number of findings is as it should be. */
  async settled(is: (found: number) => boolean): Promise<void> {
    const patience = AbortSignal.timeout(30_000);
    while (!this.code().every((cell) => this.published.has(cell.uri)) || !is(this.findings().length)) {
      await new Promise<void>((resolve, reject) => {
        this.news = resolve;
        patience.onabort = () => reject(new Error(`still ${JSON.stringify(this.findings())}`));
      });
    }
  }

  diagnostics(index: number): lsp.Diagnostic[] {
    return this.published.get(this.cells[index]!.uri) ?? [];
  }

  /** The number of the cell, the rule, and the text that it is about. */
  findings(): [number, string, string][] {
    return this.cells.flatMap((cell, index) =>
      this.diagnostics(index).map(({ code, range }): [number, string, string] => [
        index + 1,
        String(code),
        cell.getText(range),
      ]),
    );
  }

  texts(): string[] {
    return this.cells.map((cell) => cell.getText());
  }

  /** The actions of one kind on a cell, with their edits. */
  async actions(index: number, kind: string, range?: lsp.Range): Promise<lsp.CodeAction[]> {
    const { uri } = this.cells[index]!;
    const offered = await this.connection.sendRequest(lsp.CodeActionRequest.type, {
      textDocument: { uri },
      range: range ?? lsp.Range.create(0, 0, 0, 0),
      context: { diagnostics: this.diagnostics(index), only: [kind] },
    });
    return Promise.all(
      (offered ?? []).filter(isAction).map(async (action) => {
        const isWhole = action.edit || action.command;
        return isWhole ? action : this.connection.sendRequest(lsp.CodeActionResolveRequest.type, action);
      }),
    );
  }

  /** Does what an action says, and tells the server. */
  async apply(action: lsp.CodeAction): Promise<void> {
    const changes = action.edit?.documentChanges ?? [];
    assert.ok(changes.length);
    const textContent = changes.filter(lsp.TextDocumentEdit.is).map(({ textDocument, edits }) => {
      const index = this.cells.findIndex((cell) => cell.uri === textDocument.uri);
      const cell = this.cells[index]!;
      assert.equal(textDocument.version, cell.version);
      const text = TextDocument.applyEdits(cell, edits.filter(lsp.TextEdit.is));
      const version = cell.version + 1;
      this.cells[index] = TextDocument.create(cell.uri, cell.languageId, version, text);
      return { document: { uri: cell.uri, version }, changes: [{ text }] };
    });
    await this.connection.sendNotification(lsp.DidChangeNotebookDocumentNotification.type, {
      notebookDocument: { uri: this.uri, version: ++this.version },
      change: { cells: { textContent } },
    });
  }

  private code(): TextDocument[] {
    return this.cells.filter((cell) => cell.languageId === "python");
  }
}

function saved(texts: string[]): string {
  const cells = texts.map((source, index) => {
    const cell_type = CELLS[index]!.kind;
    return { cell_type, metadata: {}, source, ...(cell_type === "code" ? { execution_count: null, outputs: [] } : {}) };
  });
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

/** The library's own test wants an edit already. */
function isAction(offered: lsp.Command | lsp.CodeAction): offered is lsp.CodeAction {
  return !lsp.Command.is(offered);
}
