/**
 * What is used of a part of the library that it exports under no other name: by what its parts know which request they
 * are of.
 */
declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks'

  const storage: AsyncLocalStorage<unknown>
  export default storage
}
