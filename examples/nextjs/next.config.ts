import type { NextConfig } from 'next'

/** Without `root` Next.js takes a folder above this one, where that has a lockfile too. */
const config: NextConfig = { turbopack: { root: import.meta.dirname } }

export default config
