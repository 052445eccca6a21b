/**
 * Time for the browser to start saving a file, in milliseconds: its address must live until then.
 */
const BEGIN_MS = 60_000;

/** Has the browser save `parts` as a file called `name`. */
export function saveFile(name: string, parts: readonly string[], type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...parts], { type }));
  link.download = name;
  // Inside the page: some browsers ignore a click on a detached link.
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), BEGIN_MS);
}
