/** A time in ms as seconds with one place, for what a run tells of itself. */
export function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
