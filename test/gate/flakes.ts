/**
 * The list of tests that passed only at their second try, `.ci/flakes.md`; the next commit empties it by fixing them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Red } from './results.ts'

const HEAD = `# Flakes

Tests that the gate saw red, and green when they were run once more alone. The next commit mends them and empties this list.

| test | reason | date |
|---|---|---|
`

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 300)

/** A row of the list. `root` is the folder that the test's path is relative to, `date` is YYYY-MM-DD. */
export function rowOf(root: string, { file, title, reason }: Red, date: string): string {
  return `| ${cell(`${file ? relative(root, file) : ''} › ${title}`)} | ${cell(reason)} | ${date} |`
}

/** The rows of the list. */
export function readFlakes(path: string): string[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| test |'))
}

export function writeFlakes(path: string, rows: readonly string[]): void {
  writeFileSync(path, HEAD + rows.map((row) => `${row}\n`).join(''))
}
