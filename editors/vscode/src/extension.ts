/** Starts the server in the user's interpreter, and tells how it is. */

import { PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, State } from "vscode-languageclient/node";

import { type Choice, environmentIn, find, installing, Missing, type Program } from "./interpreter";
import { FixesFromFirstCell } from "./notebook";

const NAME = "tfdata-lint";
const PYTHON = ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ scheme, language: "python" }));
/** Where codes of rules are links. */
const SETTINGS = { scheme: "file", pattern: "**/{pyproject,tfdata-lint,.tfdata-lint}.toml" };
/** Settings that are not the server's. */
const OURS = ["interpreter", "installFrom"];

const SELECT = "Select Interpreter";
const LOG = "Show Log";
/** The name alone would install what somebody else may publish under it: the package is on no index yet. */
const WHAT = {
  title: "Install tfdata-lint",
  prompt: "The path of a checkout, or another requirement for pip",
  placeHolder: "~/tfdata-lint[lsp]",
  ignoreFocusOut: true,
};

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
  private readonly status = vscode.languages.createLanguageStatusItem(NAME, PYTHON);
  client: LanguageClient | undefined;
  private turn = Promise.resolve();
  /** The interpreters about which the user was asked: once is enough. */
  private readonly asked = new Set<string>();

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
      if (error instanceof Missing) {
        // Nobody waits for the answer.
        void this.offer(error.python);
      }
    }
  }

  /** Offers to install the server. */
  private async offer(python: string | undefined): Promise<void> {
    if (this.asked.has(python ?? "")) {
      return;
    }
    this.asked.add(python ?? "");
    const install = python && `Install in ${python}`;
    const offers = [...(install ? [install] : []), ...(this.python ? [SELECT] : []), LOG];
    const chosen = await vscode.window.showWarningMessage("tfdata-lint is not installed.", ...offers);
    if (python && chosen === install) {
      await this.install(python);
    } else if (chosen === SELECT) {
      await vscode.commands.executeCommand("python.setInterpreter");
    } else if (chosen === LOG) {
      this.log.show();
    }
  }

  /** Runs pip where its user sees it, and then the server. */
  private async install(python: string): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0];
    const set = vscode.workspace.getConfiguration(NAME, folder).get<string>("installFrom");
    const requirement = set || (await vscode.window.showInputBox(WHAT));
    if (!requirement) {
      return;
    }
    const pip = new vscode.ProcessExecution(python, installing(requirement, folder?.uri.fsPath));
    const scope = folder ?? vscode.TaskScope.Global;
    const run = await vscode.tasks.executeTask(new vscode.Task({ type: "process" }, scope, "Install", NAME, pip));
    const ended = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution === run) {
        ended.dispose();
        // Where it has failed, its output says why.
        return exitCode === 0 ? this.restart() : undefined;
      }
    });
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [...PYTHON, SETTINGS],
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
      { path: environmentIn(folder?.uri.fsPath), from: ".venv" },
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
    const title = command === "restart" ? "Restart Server" : LOG;
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
