/** Types of what is used of a package without types. */
declare module '@koa/multer' {
  import type { IncomingMessage } from 'node:http'

  interface MulterFile {
    readonly originalname: string
    readonly path: string
    readonly size: number
  }

  interface MulterOptions {
    readonly storage: unknown
    readonly limits: Readonly<Record<string, number>>
    readonly defParamCharset?: string
  }

  interface Multer {
    single(
      field: string,
    ): (
      ctx: { readonly req: IncomingMessage; readonly request: { file?: MulterFile } },
      next: () => Promise<unknown>,
    ) => Promise<unknown>
  }

  interface MakeMulter {
    (options: MulterOptions): Multer
    diskStorage(options: { readonly destination: string }): unknown
  }

  const multer: MakeMulter
  export default multer
}
