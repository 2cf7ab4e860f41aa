import type { SourceFile } from '../arch/source-files.ts'

/** Folders of tests that mostly need no server, no browser and no program. */
const OF_UNITS =
  /^test\/(actors|cluster|commands|domain|files|http|inbox|jobs|live|media|media-host|net|oauth|providers|webhooks)\/.*\.test\.ts$/

/** How far each file is from `path`, in imports of values. */
function distancesFrom(path: string, files: readonly SourceFile[]): Map<string, number> {
  const users = new Map<string, string[]>()
  for (const { path: user, imports } of files)
    for (const { target, isPackage, isTypeOnly } of imports)
      if (!isPackage && !isTypeOnly) users.set(target, [...(users.get(target) ?? []), user])
  const distances = new Map([[path, 0]])
  const queue = [path]
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    for (const user of users.get(next) ?? []) {
      if (distances.has(user)) continue
      distances.set(user, (distances.get(next) ?? 0) + 1)
      queue.push(user)
    }
  return distances
}

/** How many words the two paths share: tests are named after what they test. */
function sharedWords(path: string, other: string): number {
  const words = new Set(path.split(/\W+/))
  return other.split(/\W+/).filter((word) => words.has(word)).length
}

/** The unit tests that reach a file through imports, the nearest first, then those named most like it. */
export function nearestTests(path: string, files: readonly SourceFile[]): string[] {
  return [...distancesFrom(path, files)]
    .filter(([test]) => OF_UNITS.test(test))
    .map(([test, distance]) => ({ test, distance, shared: sharedWords(path, test) }))
    .toSorted((a, b) => a.distance - b.distance || b.shared - a.shared || a.test.localeCompare(b.test))
    .map(({ test }) => test)
}
