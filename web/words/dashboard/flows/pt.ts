import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the list of Flows. */
export const words: Like<typeof english> = {
  heading: 'Flows',
  add: 'Novo Flow',
  sync: 'Perguntar à rede os Flows dela agora',
  synced: ({ imported, updated, removed }: { imported: number; updated: number; removed: number }) =>
    `Perguntado: ${imported} novos, ${updated} alterados, ${removed} removidos.`,
  none: 'Este número não tem Flows. Um Flow é um formulário dentro da conversa.',
  noneSuch: 'Nenhum Flow está neste estado.',
  anyStatus: 'Todos os estados',
  codes: {
    FLOW_REQUIRES_OFFICIAL_NUMBER: 'Só números oficiais têm Flows. Escolha outro número.',
    OFFICIAL_ERROR: 'A rede recusou:',
  },
  name: 'Nome',
  categories: 'Categorias',
  changed: 'Alterado',
  status: 'Estado',
  statuses: {
    DRAFT: 'Rascunho',
    PUBLISHED: 'Publicado',
    DEPRECATED: 'Descontinuado',
    THROTTLED: 'Limitado',
    BLOCKED: 'Bloqueado',
  },
  category: {
    SIGN_UP: 'Cadastro',
    SIGN_IN: 'Entrada',
    APPOINTMENT_BOOKING: 'Agendamentos',
    LEAD_GENERATION: 'Leads',
    SHOPPING: 'Compras',
    CONTACT_US: 'Contato',
    CUSTOMER_SUPPORT: 'Atendimento',
    SURVEY: 'Pesquisa',
    OTHER: 'Outra',
  },
}
