// Runs the cells of a notebook that is open in VS Code in a real Jupyter kernel, for the kit's tests. The extension with
// which students do so comes from a marketplace; this one does no more than hand cells to `kernel_bridge.py` and outputs
// back, by VS Code's own interface for kernels.

const { spawn } = require('child_process');
const { dirname } = require('path');
const { createInterface } = require('readline');
const vscode = require('vscode');

const text = value => (Array.isArray(value) ? value.join('') : value);

function items(output) {
  const { stdout, stderr, error } = vscode.NotebookCellOutputItem;
  if (output.output_type === 'stream') return [(output.name === 'stderr' ? stderr : stdout)(text(output.text))];
  if (output.output_type === 'error')
    return [error({ name: output.ename, message: output.evalue, stack: output.traceback.join('\n') })];
  return Object.entries(output.data).map(([mime, value]) => vscode.NotebookCellOutputItem.text(text(value), mime));
}

class Bridge {
  constructor(folder) {
    const [python, ...words] = JSON.parse(process.env.GRADER_KERNEL_BRIDGE);
    this.process = spawn(python, words, { cwd: folder });
    this.replies = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async run(code) {
    this.process.stdin.write(JSON.stringify(code) + '\n');
    const { value, done } = await this.replies.next();
    return done ? { ok: false, outputs: [] } : JSON.parse(value);
  }
}

exports.activate = context => {
  const controller = vscode.notebooks.createNotebookController('kernel-of-the-tests', 'jupyter-notebook', 'Python 3');
  const bridges = new Map();
  let order = 0;

  async function run(cell) {
    const folder = dirname(cell.notebook.uri.fsPath);
    if (!bridges.has(folder)) bridges.set(folder, new Bridge(folder));
    const execution = controller.createNotebookCellExecution(cell);
    execution.executionOrder = ++order;
    execution.start(Date.now());
    const { ok, outputs } = await bridges.get(folder).run(cell.document.getText());
    await execution.replaceOutput(outputs.map(output => new vscode.NotebookCellOutput(items(output))));
    execution.end(ok, Date.now());
    return ok;
  }

  controller.supportedLanguages = ['python'];
  controller.supportsExecutionOrder = true;
  controller.executeHandler = async cells => {
    for (const cell of cells) if (!(await run(cell))) return;
  };
  const prefer = notebook =>
    controller.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
  vscode.workspace.notebookDocuments.forEach(prefer);
  context.subscriptions.push(controller, vscode.workspace.onDidOpenNotebookDocument(prefer));
};
