import { countedAddress } from '../../domain/counted-address.ts'
import type { HttpMiddleware } from '../request/context.ts'

export interface ClientDeps {
  /**
   * The client's address of a connection. `x-forwarded-for` counts only from proxies of TRUSTED_PROXIES
   * ([configuration.variables.18]).
   */
  readonly clientAddress: (peer: string | undefined, forwardedFor: string | undefined) => string
}

/** Sets the client's address, and the address or network that limits count it for. */
export function clientKnown({ clientAddress }: ClientDeps): HttpMiddleware {
  return (ctx, next) => {
    ctx.state.clientAddress = clientAddress(ctx.req.socket.remoteAddress, ctx.get('x-forwarded-for'))
    ctx.state.countedAddress = countedAddress(ctx.state.clientAddress)
    return next()
  }
}
