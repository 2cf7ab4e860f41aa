import type { Outcome } from '../../src/domain/errors.ts'
import type { TemplatesPort, TemplateSubmission, UpstreamTemplate } from '../../src/ports/official/templates.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'
import { ScriptedPort } from './scripted-platform.ts'

type Op = 'create' | 'edit' | 'remove' | 'find' | 'read' | 'page' | 'uploadSample'
/** Ids above 2^53, which a JavaScript number cannot hold exactly. */
const FIRST_ID = 9_007_199_254_740_993n
const PAGE = 2
const NOT_FOUND = {
  kind: 'refused',
  no: { upstreamCode: 100, upstreamSubcode: 2593002, upstreamMessage: 'Message Template Not Found' },
} as const

/** The platform's templates of one account behind a number's port, with faults in the order in which they happen. */
export class TemplatePlatform extends ScriptedPort<Op> implements TemplatesPort {
  readonly templates = new Map<string, UpstreamTemplate>()
  readonly uploads: string[] = []
  /** False when its pages contain an entry that cannot be read. */
  isWhole = true
  #lastId = FIRST_ID

  add(fields: Partial<UpstreamTemplate> = {}): UpstreamTemplate {
    const externalId = String(++this.#lastId)
    const shown: UpstreamTemplate = {
      externalId,
      name: `made_elsewhere_${externalId}`,
      language: 'en',
      status: 'APPROVED',
      category: 'UTILITY',
      correctCategory: null,
      rejectedReason: null,
      quality: 'GREEN',
      parameterFormat: 'POSITIONAL',
      components: [{ type: 'BODY', text: 'Hello {{1}}, welcome.', example: { body_text: [['Ana']] } }],
      ...fields,
    }
    this.templates.set(shown.externalId, shown)
    return shown
  }

  change(externalId: string, fields: Partial<UpstreamTemplate>): void {
    const shown = this.templates.get(externalId)
    if (shown) this.templates.set(externalId, { ...shown, ...fields })
  }

  named(name: string): UpstreamTemplate[] {
    return [...this.templates.values()].filter((one) => one.name === name)
  }

  create(submission: TemplateSubmission): ReturnType<TemplatesPort['create']> {
    return this.answerWrite('create', () => {
      const { name, language, category, components, parameterFormat } = submission
      const isTaken = this.named(name).some((one) => one.language === language)
      if (isTaken)
        return {
          kind: 'refused',
          no: {
            upstreamCode: 100,
            upstreamSubcode: 2388024,
            upstreamMessage: 'Content in this language already exists',
          },
        }
      const { externalId } = this.add({
        name,
        language,
        category,
        components,
        parameterFormat,
        status: 'PENDING',
        quality: null,
      })
      return { kind: 'done', value: { externalId, status: 'PENDING', category } }
    })
  }

  edit(
    externalId: string,
    { components, category }: Parameters<TemplatesPort['edit']>[1],
  ): Promise<UpstreamWrite<null>> {
    return this.answerWrite('edit', () => {
      const shown = this.templates.get(externalId)
      if (!shown) return NOT_FOUND
      const isFixed = category !== null && shown.status !== 'REJECTED'
      if (isFixed)
        return {
          kind: 'refused',
          no: {
            upstreamCode: 100,
            upstreamSubcode: null,
            upstreamMessage: "The category of an approved template can't be changed.",
          },
        }
      this.change(externalId, { components, status: 'PENDING', ...(category === null ? {} : { category }) })
      return { kind: 'done', value: null }
    })
  }

  remove(externalId: string, name: string): Promise<UpstreamWrite<null>> {
    return this.answerWrite('remove', () => {
      if (this.templates.get(externalId)?.name !== name) return NOT_FOUND
      this.templates.delete(externalId)
      return { kind: 'done', value: null }
    })
  }

  uploadSample({ fileName }: { readonly fileName: string }): Promise<UpstreamWrite<string>> {
    return this.answerWrite('uploadSample', () => {
      this.uploads.push(fileName)
      return { kind: 'done', value: `4::${fileName}` }
    })
  }

  find(name: string, language: string): Promise<Outcome<UpstreamTemplate | null>> {
    return this.answerRead('find', () => this.named(name).find((one) => one.language === language) ?? null)
  }

  read(externalId: string): Promise<Outcome<UpstreamTemplate | null>> {
    return this.answerRead('read', () => this.templates.get(externalId) ?? null)
  }

  page(after: string | null): ReturnType<TemplatesPort['page']> {
    return this.answerRead('page', () => {
      const from = Number(after ?? 0)
      const all = [...this.templates.values()]
      return {
        templates: all.slice(from, from + PAGE),
        next: from + PAGE < all.length ? String(from + PAGE) : null,
        isWhole: this.isWhole,
      }
    })
  }
}
