import { describeEvents } from './asyncapi/document.ts'

/** Prints the AsyncAPI document: `npm run asyncapi > asyncapi.json`. */
process.stdout.write(`${JSON.stringify(describeEvents('http://localhost:3000'), null, 2)}\n`)
