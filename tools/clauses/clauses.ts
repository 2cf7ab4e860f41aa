/**
 * `npm run clauses`: lists the rules of the contract that no test cites, and the citations of marks that no rule has.
 * Such citations make it end with 1.
 */
import { fileURLToPath } from 'node:url'
import { citationsIn } from './citations.ts'
import { report } from './report.ts'
import { readPages, readSources } from './tree.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { lines, isSound } = report(readPages(ROOT), readSources(ROOT).flatMap(citationsIn))
process.stdout.write(`${lines.join('\n')}\n`)
if (!isSound) process.exitCode = 1
