import { readFileSync } from 'node:fs'

/** Inputs of bug reports about messages, byte for byte as they were reported, with the right result for each. */
export function caseFile(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/messaging-cases/${name}`, import.meta.url))
}

/** A case in JSON; its test knows the shape. */
export function caseOf<T>(name: string): T {
  return JSON.parse(caseFile(`${name}.json`).toString()) as T
}
