import { countedAddress } from '../../domain/counted-address.ts'
import type { HttpMiddleware } from '../request/context.ts'

export interface ClientDeps {
  /** Names the client of a connection; TRUSTED_PROXIES decides whether `x-forwarded-for` has a say (contract 1). */
  readonly clientAddress: (peer: string | undefined, forwardedFor: string | undefined) => string
}

/** Settles where a request comes from, and what limits by address count. */
export function clientKnown({ clientAddress }: ClientDeps): HttpMiddleware {
  return (ctx, next) => {
    ctx.state.clientAddress = clientAddress(ctx.req.socket.remoteAddress, ctx.get('x-forwarded-for'))
    ctx.state.countedAddress = countedAddress(ctx.state.clientAddress)
    return next()
  }
}
