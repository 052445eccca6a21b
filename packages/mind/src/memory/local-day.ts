/** The day it is where the engine runs, `YYYY-MM-DD`. @param time milliseconds since 1970 */
export function localDay(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
