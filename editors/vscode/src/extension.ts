/** Starts the server in the user's interpreter, and tells how it is. */

import { PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, State } from "vscode-languageclient/node";

import { type Choice, find, type Program } from "./interpreter";
import { FixesFromFirstCell } from "./notebook";

const NAME = "tfdata-lint";
const SELECTOR = ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ scheme, language: "python" }));
/** Settings that are not the server's. */
const OURS = ["interpreter"];

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const current = (session = new Session());
  const python = await PythonExtension.api().catch(() => undefined);
  current.python = python;
  context.subscriptions.push(
    current,
    FixesFromFirstCell.register(() => current.client),
    vscode.commands.registerCommand(`${NAME}.restart`, () => current.restart()),
    vscode.commands.registerCommand(`${NAME}.showLog`, () => current.log.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if ([`${NAME}.interpreter`, "python.defaultInterpreterPath"].some((name) => event.affectsConfiguration(name))) {
        return current.restart();
      }
    }),
    ...(python ? [python.environments.onDidChangeActiveEnvironmentPath(() => current.restart())] : []),
  );
  await current.restart();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** The server that runs, if one does. */
class Session implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel(NAME, { log: true });
  python: PythonExtension | undefined;
  private readonly status = vscode.languages.createLanguageStatusItem(NAME, SELECTOR);
  client: LanguageClient | undefined;
  private turn = Promise.resolve();

  constructor() {
    this.status.name = NAME;
  }

  /** Starts are in line: each ends the server of the one before. */
  restart(): Promise<void> {
    return (this.turn = this.turn.then(() => this.stop()).then(() => this.start()));
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error) => this.log.warn(`the server did not end well: ${error}`));
  }

  dispose(): void {
    this.status.dispose();
    this.log.dispose();
  }

  private async start(): Promise<void> {
    this.show("starting…", "", vscode.LanguageStatusSeverity.Information, true);
    try {
      const folder = vscode.workspace.workspaceFolders?.[0];
      const cwd = folder?.uri.fsPath;
      const program = await find(await this.choices(folder), cwd);
      this.log.info(`${program.command} (${program.from})`);
      const server = { command: program.command, args: [...program.args, "server"], options: { cwd } };
      const client = (this.client = new LanguageClient(NAME, NAME, server, this.options()));
      client.onDidChangeState(({ newState }) => {
        if (client !== this.client) {
          return;
        }
        if (newState === State.Running) {
          this.runs(client, program);
        } else if (newState === State.Stopped) {
          this.failed("the server has ended");
        }
      });
      await client.start();
    } catch (error) {
      this.failed(error instanceof Error ? error.message : String(error));
    }
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      initializationOptions: settings,
      middleware: {
        // From the palette the command comes without arguments: the file that is open is meant, with all in it.
        executeCommand: (command, args, next) =>
          next(command, command === `${NAME}.verify` && !args.length ? [openFile() ?? "", ""] : args),
        workspace: {
          configuration: async (params, token, next) => {
            const all = await next(params, token);
            return Array.isArray(all) ? all.map(withoutOurs) : all;
          },
        },
      },
    };
  }

  private async choices(folder: vscode.WorkspaceFolder | undefined): Promise<Choice[]> {
    const set = (section: string) => vscode.workspace.getConfiguration(section, folder);
    return [
      { path: set(NAME).get("interpreter"), from: `${NAME}.interpreter`, only: true },
      { path: await this.chosen(folder), from: "the Python extension" },
      { path: set("python").get("defaultInterpreterPath"), from: "python.defaultInterpreterPath" },
    ];
  }

  /** The interpreter chosen in the Python extension. */
  private async chosen(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
    const environments = this.python?.environments;
    const found = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
    return found?.executable.uri?.fsPath;
  }

  private runs(client: LanguageClient, program: Program): void {
    const { capabilities, serverInfo } = client.initializeResult ?? {};
    const canVerify = capabilities?.executeCommandProvider?.commands.includes(`${NAME}.verify`);
    void vscode.commands.executeCommand("setContext", `${NAME}.canVerify`, canVerify);
    this.show(serverInfo?.version ?? "", `${program.command} (${program.from})`);
  }

  private failed(problem: string): void {
    this.log.error(problem);
    this.show("not running", problem, vscode.LanguageStatusSeverity.Error);
  }

  private show(text: string, detail: string, severity = vscode.LanguageStatusSeverity.Information, busy = false): void {
    const command = severity === vscode.LanguageStatusSeverity.Error ? "showLog" : "restart";
    const title = command === "restart" ? "Restart Server" : "Show Log";
    Object.assign(this.status, { text: `${NAME} ${text}`, detail, severity, busy });
    this.status.command = { command: `${NAME}.${command}`, title };
  }
}

function settings(): unknown {
  return withoutOurs(vscode.workspace.getConfiguration().get(NAME));
}

/** The settings that the server knows: it complains about others. */
function withoutOurs(all: unknown): unknown {
  return all && Object.fromEntries(Object.entries(all).filter(([name]) => !OURS.includes(name)));
}

function openFile(): string | undefined {
  const { activeNotebookEditor: notebook, activeTextEditor: editor } = vscode.window;
  return (notebook?.notebook ?? editor?.document)?.uri.toString();
}
