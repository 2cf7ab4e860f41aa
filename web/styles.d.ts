/** Style sheets are imported for their effect: the build puts them into a file of their own. */
declare module '*.css'

/** One drawing each: the package's own types know only the list of all, which takes seconds to build. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  import type { IconNode } from 'lucide'

  const drawing: IconNode
  export default drawing
}
