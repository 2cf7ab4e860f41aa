import { newId, newToken } from '../registry/ids.ts'
import type { PlatformForm, PlatformPage } from './page.ts'

export type NewForm = Pick<PlatformForm, 'name' | 'questions' | 'checkboxes'>

export type FormPatch = { readonly [K in keyof NewForm | 'status']?: PlatformForm[K] | undefined }

export interface PagePatch {
  readonly name?: string | undefined
  readonly accessToken?: string | undefined
  readonly isTokenExpired?: boolean | undefined
  readonly subscribedFields?: readonly string[] | undefined
}

/** Pages with their forms and tokens. */
export class PageBook {
  readonly #pages = new Map<string, PlatformPage>()
  readonly #byToken = new Map<string, PlatformPage>()
  readonly #forms = new Map<string, PlatformForm>()
  #lastOrder = 0

  add(appId: string, name: string): PlatformPage {
    const page: PlatformPage = {
      id: newId(),
      appId,
      name,
      token: newToken(),
      isTokenExpired: false,
      subscribedFields: null,
    }
    this.#pages.set(page.id, page)
    this.#byToken.set(page.token, page)
    return page
  }

  addForm({ id: pageId }: PlatformPage, form: NewForm): PlatformForm {
    const made: PlatformForm = { ...form, id: newId(), order: ++this.#lastOrder, pageId, status: 'ACTIVE' }
    this.#forms.set(made.id, made)
    return made
  }

  /** Sets the given fields. A new token replaces the old one, which opens nothing any more. */
  patch(page: PlatformPage, { name, accessToken, isTokenExpired, subscribedFields }: PagePatch): void {
    page.name = name ?? page.name
    page.isTokenExpired = isTokenExpired ?? page.isTokenExpired
    if (subscribedFields) page.subscribedFields = subscribedFields.length === 0 ? null : new Set(subscribedFields)
    if (accessToken === undefined) return
    this.#byToken.delete(page.token)
    page.token = accessToken
    this.#byToken.set(accessToken, page)
  }

  /** Sets the given fields. */
  patchForm(form: PlatformForm, patch: FormPatch): void {
    Object.assign(form, Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)))
  }

  find(id: string): PlatformPage | null {
    return this.#pages.get(id) ?? null
  }

  byToken(token: string): PlatformPage | null {
    return this.#byToken.get(token) ?? null
  }

  all(): PlatformPage[] {
    return [...this.#pages.values()]
  }

  form(id: string): PlatformForm | null {
    return this.#forms.get(id) ?? null
  }

  /** Forms of a Page, newest first. */
  formsOf({ id }: PlatformPage): PlatformForm[] {
    return [...this.#forms.values()].filter(({ pageId }) => pageId === id).toReversed()
  }

  reset(): void {
    this.#pages.clear()
    this.#byToken.clear()
    this.#forms.clear()
  }
}
