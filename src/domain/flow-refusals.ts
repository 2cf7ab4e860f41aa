import { refuse } from './errors.ts'
import type { Refusal, RefusalCode } from './errors.ts'

interface Texts {
  readonly pt: string
  readonly en: string
  /** The name that `details` go by in the body; `details` when absent. */
  readonly under?: 'validationErrors' | 'unknownFields'
}

/**
 * The codes of Flows with both of their texts, which particulars may follow ([flows.errors.1] to [flows.errors.17]).
 * Their statuses stand in errors.ts.
 */
export const FLOW_REFUSALS = {
  FLOW_NOT_FOUND: { pt: 'Flow não encontrado nesta conta', en: 'No such Flow in this account' },
  FLOW_NOT_DRAFT: {
    pt: 'Este Flow não está mais em rascunho; clone-o para criar uma nova versão',
    en: 'This Flow has left DRAFT; clone it to start a new version',
  },
  FLOW_REQUIRES_OFFICIAL_NUMBER: {
    pt: 'Flows exigem um número OFFICIAL com conta',
    en: 'Flows need an OFFICIAL number with an account',
  },
  FLOW_NUMBER_FROM_KEY: {
    pt: 'Não foi possível identificar o número a partir da chave',
    en: 'The number could not be derived from the key',
  },
  FLOW_JSON_INVALID: {
    pt: 'O documento do Flow foi recusado',
    en: 'The Flow document was refused',
    under: 'validationErrors',
  },
  FLOW_JSON_REQUIRED: { pt: 'Informe flowJson como texto não vazio', en: 'Send flowJson as a non-empty string' },
  FLOW_NAME_REQUIRED: { pt: 'Informe o nome do Flow', en: 'Send the name of the Flow' },
  FLOW_NAME_INVALID: { pt: 'Nome de Flow inválido', en: 'The name cannot be used' },
  FLOW_CATEGORY_INVALID: { pt: 'Categoria de Flow inválida', en: 'Invalid Flow category' },
  FLOW_CLONE_SOURCE_INVALID: {
    pt: 'cloneFromFlowId não indica um Flow desta conta',
    en: 'cloneFromFlowId names no Flow of this account',
  },
  FLOW_PATCH_EMPTY: { pt: 'Informe name ou categories', en: 'Send name or categories' },
  FLOW_UNKNOWN_FIELDS: {
    pt: 'O corpo tem campos não aceitos',
    en: 'The body has fields that this route does not accept',
    under: 'unknownFields',
  },
  FLOW_PUBLISH_REQUIRES_CONFIRMATION: {
    pt: 'Publicar é irreversível: envie confirm: true',
    en: 'Publishing cannot be undone: send confirm: true',
  },
  FLOW_DEPRECATE_INVALID_SUCCESSOR: {
    pt: 'supersededByFlowId não indica outro Flow desta conta',
    en: 'supersededByFlowId names no other Flow of this account',
  },
  FLOW_BODY_INVALID: { pt: 'Corpo da requisição inválido', en: 'The request body is invalid' },
  INVALID_PAGINATION: { pt: 'Página além do limite de 10.000 itens', en: 'Page past the ceiling of 10,000 items' },
  INTERNAL_ERROR: { pt: 'Erro interno', en: 'Internal error' },
  /** The code of [flows.routes.9]; the texts are our choice. */
  FLOW_NOT_PUBLISHED: { pt: 'Este Flow ainda não foi publicado', en: 'This Flow has not been published yet' },
} as const satisfies Partial<Record<RefusalCode, Texts>>

export type FlowRefusalCode = keyof typeof FLOW_REFUSALS

/**
 * Makes a refusal of the table; `more` are particulars in English. The `details` of FLOW_JSON_INVALID are its items,
 * those of FLOW_UNKNOWN_FIELDS the keys.
 */
export function refuseFlow(code: FlowRefusalCode, details?: unknown, more?: string): Refusal {
  const { en } = FLOW_REFUSALS[code]
  return refuse(code, more === undefined ? en : `${en}: ${more}`, details)
}

/**
 * The codes that routes of Flows use in place of common ones ([flows.scope.2], [flows.errors.1] to [flows.errors.17]).
 */
const CALLED: Readonly<Partial<Record<RefusalCode, FlowRefusalCode>>> = {
  INVALID_JSON: 'FLOW_BODY_INVALID',
  FEATURE_NOT_SUPPORTED: 'FLOW_REQUIRES_OFFICIAL_NUMBER',
  NUMBER_NOT_BOUND: 'FLOW_NUMBER_FROM_KEY',
  NUMBER_REQUIRED: 'FLOW_NUMBER_FROM_KEY',
  INTERNAL: 'INTERNAL_ERROR',
}

/** Gives the code that routes of Flows use for a code. */
export function flowCodeOf(code: RefusalCode): RefusalCode {
  return CALLED[code] ?? code
}

/** Portuguese texts, our choice, for refusals that other routes tell in English alone. */
const COMMON: Readonly<Partial<Record<RefusalCode, string>>> = {
  VALIDATION: 'Requisição inválida',
  UNAUTHENTICATED: 'Chave ausente ou inválida',
  TENANT_SCOPE_NOT_ALLOWED: 'Esta rota atua em um número: use a chave desse número',
  NUMBER_SCOPE_NOT_ALLOWED: 'Esta rota é da conta: use a chave da conta',
  PERMISSION_DENIED: 'Permissão negada',
  NUMBER_NOT_FOUND: 'Número não encontrado nesta conta',
  ROUTE_NOT_FOUND: 'Rota não encontrada',
  METHOD_NOT_ALLOWED: 'Método não permitido nesta rota',
  PAYLOAD_TOO_LARGE: 'O corpo da requisição é grande demais',
  UNSUPPORTED_MEDIA_TYPE: 'Envie o corpo como application/json em UTF-8, sem compressão',
  RATE_LIMITED: 'Limite de requisições excedido',
  IDEMPOTENCY_KEY_REUSED: 'Esta Idempotency-Key já foi usada em outra requisição',
  IDEMPOTENCY_IN_PROGRESS: 'Uma requisição com esta Idempotency-Key ainda está em andamento',
  INVALID_DATE_RANGE: 'Intervalo de datas inválido',
  OFFICIAL_CREDENTIALS_REJECTED: 'A plataforma oficial recusou as credenciais do número',
  OFFICIAL_REQUEST_REFUSED: 'A plataforma oficial recusou o pedido',
  OFFICIAL_THROTTLED: 'A plataforma oficial está limitando os pedidos; tente mais tarde',
  OFFICIAL_ERROR: 'A plataforma oficial não respondeu ou falhou',
  UNAVAILABLE: 'O serviço está temporariamente indisponível',
  BUSY: 'O serviço está ocupado; tente novamente',
  NOT_OWNER: 'O serviço está ocupado; tente novamente',
  TIMEOUT: 'A resposta demorou demais',
}
const ANY = 'A requisição foi recusada'

/** A refusal as routes of Flows answer it: under their code, in both languages. */
export interface FlowRefusalShown {
  readonly code: RefusalCode
  readonly pt: string
  readonly en: string
  readonly under: 'details' | 'validationErrors' | 'unknownFields'
}

/** Converts any refusal to the form that routes of Flows answer. */
export function showFlowRefusal({ code: given, message }: Refusal): FlowRefusalShown {
  const code = flowCodeOf(given)
  const texts: Texts | null = isFlowCode(code) ? FLOW_REFUSALS[code] : null
  if (!texts) return { code, pt: COMMON[code] ?? ANY, en: message, under: 'details' }
  return { code, pt: texts.pt, en: message.startsWith(texts.en) ? message : texts.en, under: texts.under ?? 'details' }
}

function isFlowCode(code: RefusalCode): code is FlowRefusalCode {
  return Object.hasOwn(FLOW_REFUSALS, code)
}
