import { readFileSync } from 'node:fs'

/** Inputs of bug reports about messages, byte for byte as they were written down, and what is right for each. */
export function caseFile(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/messaging-cases/${name}`, import.meta.url))
}

/** One that is JSON, its test says in which shape. */
export function caseOf<T>(name: string): T {
  return JSON.parse(caseFile(`${name}.json`).toString()) as T
}
