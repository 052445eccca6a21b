/** How long the browser may take to begin with a file, in milliseconds: its address must live until then. */
const BEGIN_MS = 60_000;

/** Has the browser save `parts` as a file called `name`. */
export function saveFile(name: string, parts: readonly string[], type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...parts], { type }));
  link.download = name;
  // Within the page: some browsers drop the click on a link that is in none.
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), BEGIN_MS);
}
