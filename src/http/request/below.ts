/** Whether a path is `base` or stands below it. */
export function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`)
}
