import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the Pages whose leads come. */
export const words: Like<typeof english> = {
  heading: 'Páginas com formulários',
  above: 'Todos os leads',
  none: 'Nenhuma Página está ligada a este número. Ligue uma, e os leads dos formulários dela chegam a este número.',
  page: 'Página',
  pending: 'Esperando',
  pendingCount: (count: number) => (count === 1 ? '1 lead' : `${count} leads`),
  last: 'Último lead',
  state: 'Estado',
  standings: {
    SUBSCRIBED: 'Leads chegam na hora',
    OTHER_CALLBACK: 'Entrega em outro lugar',
    NOT_SUBSCRIBED: 'Não avisa de leads',
    TOKEN_REFUSED: 'Token recusado',
  },
  meanings: {
    SUBSCRIBED: 'A rede avisa de cada lead quando ele é enviado.',
    OTHER_CALLBACK: 'O aplicativo entrega em outro endereço, que fica assim. Os leads são achados uma vez por hora.',
    NOT_SUBSCRIBED: 'A rede não aceitou a assinatura do aplicativo. Os leads são achados uma vez por hora.',
    TOKEN_REFUSED: 'A rede recusa o token. Os leads esperam até você dar um novo abaixo.',
  },
  link: {
    open: 'Ligar uma Página',
    text: 'Os leads dela são deste número a partir daí. Uma Página é ligada a um só número.',
    send: 'Ligar',
    pageId: 'Id da Página',
    token: 'Token da Página',
    tokenHint: 'Precisa poder ler leads. É verificado agora, e nunca mais é mostrado.',
    appId: 'Id do aplicativo',
    appSecret: 'Segredo do aplicativo',
    ownHint: 'Vazio: o do número.',
    done: 'A Página está ligada.',
  },
  byHand: {
    heading: 'A Página está ligada, e os leads dela chegam tarde',
    text: 'Para saber dos leads na hora, digite este endereço e este token no objeto “page” do aplicativo:',
    url: 'Endereço do webhook',
    token: 'Token para verificar',
  },
  codes: {
    LEAD_PAGE_ALREADY_LINKED: 'Esta Página já está ligada, aqui ou em outra conta.',
    LEAD_PAGE_NOT_FOUND: 'Esta conta não tem essa Página. Ela pode ter sido desligada.',
    LEAD_PAGE_REJECTED: 'A rede recusou:',
    LEAD_FORM_NOT_FOUND: 'A Página não tem mais esse formulário.',
    TEMPLATE_NOT_FOUND: 'O número não tem mais esse modelo. Escolha outro.',
    MISSING_TEMPLATE_VARIABLES: 'O modelo precisa de mais valores:',
    INVALID_TEMPLATE_VARIABLE_VALUE: 'A rede não aceitaria estes textos:',
    OFFICIAL_ERROR: 'A rede recusou, ou não respondeu:',
    OFFICIAL_THROTTLED: 'A rede não aceita mais pedidos agora. Tente de novo em um minuto.',
  },
}
