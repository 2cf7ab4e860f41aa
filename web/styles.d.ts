/** Style sheets are imported for their effect: the build writes them to files of their own. */
declare module '*.css'

/** Types for one icon per file: the package itself types only the list of all icons, which takes seconds to check. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  import type { IconNode } from 'lucide'

  const drawing: IconNode
  export default drawing
}

/** A module of the audio thread, bundled into a file of its own; its address is what the thread loads. */
declare module '*?worker&url' {
  const address: string
  export default address
}

interface ImportMeta {
  /** Vite finds the files that match at build time; each is loaded when its function is called. */
  glob<File>(pattern: string): Readonly<Record<string, () => Promise<File>>>
}
