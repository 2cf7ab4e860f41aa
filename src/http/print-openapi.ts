import { describedRoutes } from './described-routes.ts'
import { describeApi } from './openapi/document.ts'

/**
 * Prints the OpenAPI document: `npm run openapi > openapi.json`. No handler is ever run, so one object stands in for
 * every port: whatever is read of it or asked of it while routes are made is that object again.
 */
const port: object = new Proxy(() => {}, { get: () => port, apply: () => port })
/** The document leaves out /metrics, which is the operator's and may have a listener of its own. */
const values = { metricsText: null, baseUrl: 'http://localhost:3000' }
const deps = new Proxy(values, { get: (_, name) => (Reflect.has(values, name) ? Reflect.get(values, name) : port) })
const routes = describedRoutes(deps as Parameters<typeof describedRoutes>[0])
process.stdout.write(`${JSON.stringify(describeApi(routes, values.baseUrl), null, 2)}\n`)
