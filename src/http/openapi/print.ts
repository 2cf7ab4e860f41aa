import { describedRoutes } from '../described-routes.ts'
import { describeApi } from './document.ts'

/**
 * Prints the OpenAPI document: `npm run openapi > openapi.json`. No handler is ever run, so one object stands in for
 * every port: whatever is read of it or asked of it while routes are made is that object again.
 */
const port: object = new Proxy(() => {}, { get: () => port, apply: () => port })
/** Without /metrics, which is the operator's and may have a listener of its own. */
const deps = new Proxy({}, { get: (_, name) => name === 'metricsText' ? null : port })
const routes = describedRoutes(deps as Parameters<typeof describedRoutes>[0])
process.stdout.write(`${JSON.stringify(describeApi(routes, 'http://localhost:3000'), null, 2)}\n`)
