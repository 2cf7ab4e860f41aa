/**
 * `npm run clauses`: lists the rules of the contract that no test cites, and the citations of marks that no rule has.
 * Either makes it end with 1.
 */
import { fileURLToPath } from 'node:url'
import { citationsIn } from './citations.ts'
import { report } from './report.ts'
import { readPages, readSources, readUntested } from './tree.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { lines, isSound } = report(readPages(ROOT), readSources(ROOT).flatMap(citationsIn), readUntested(ROOT))
process.stdout.write(`${lines.join('\n')}\n`)
if (!isSound) process.exitCode = 1
