import { apiRoutes } from './api-routes.ts'
import { describeApi } from './openapi.ts'

/** Prints the OpenAPI document: `npm run openapi > openapi.json`. Handlers are never run, so their ports stay unset. */
const unset = new Proxy({}, { get: (_, name) => (name === 'metricsText' ? () => Promise.resolve('') : undefined) })
console.log(JSON.stringify(describeApi(apiRoutes(unset as Parameters<typeof apiRoutes>[0]), 'http://localhost:3000'), null, 2))
