import type { Like } from '../../language.ts'
import { words as list } from '../lead-pages/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the page of a linked Page. */
export const words: Like<typeof english> = {
  list,
  heading: 'Página',
  above: 'Todas as Páginas',
  number: 'Número',
  linked: 'Ligada',
  id: 'Id da Página',
  check: 'Perguntar o estado agora',
  leads: 'Os leads dela',
  forms: {
    heading: 'Formulários',
    none: 'A Página não tem formulário.',
    form: 'Formulário',
    consent: 'Consentimento',
    noConsent: 'Não é pedido',
    answer: 'Resposta',
    answered: 'Por um modelo',
    notAnswered: 'Nenhuma',
    status: 'Estado',
  },
  settings: {
    consentKey: 'Caixa que dá o consentimento',
    consentHint: 'Os leads já guardados ficam como estão.',
    noCheckbox: 'Este formulário não tem caixa.',
    noConsent: 'Nenhuma: o consentimento não se conhece',
    template: 'Modelo que responde a cada lead novo',
    templateHint: 'A língua é parte dele. Leads importados não recebem resposta.',
    noTemplate: 'Nenhum: os leads não recebem resposta',
    variable: 'Variável',
    from: 'Vem de',
    fixed: 'Um texto fixo',
    answerTo: (question: string) => `A resposta a: ${question}`,
    value: 'Texto',
    fallback: 'Texto se a resposta estiver vazia',
    fallbackHint: 'Sem ele, um lead com a resposta vazia não é respondido.',
    onlyWithConsent: 'Só com consentimento',
    onlyWithConsentHint: 'Precisa da caixa que dá o consentimento.',
    days: 'Não se um dos lados escreveu nestes dias',
    daysHint: '0: em todo caso. No máximo 90.',
  },
  change: {
    heading: 'Mudar a ligação',
    text: 'O que fica vazio não muda. Os leads guardados ficam com o número deles.',
    numberHint: 'Os leads novos vão para ele.',
    tokenHint: 'É verificado agora. O que espera por um token bom é lido na hora.',
  },
  unlink: {
    action: 'Desligar',
    ask: 'Desligar esta Página?',
    warning:
      'Os leads guardados ficam. Os avisados e ainda não lidos se perdem, e o que está definido para os formulários.',
    done: 'A Página não está mais ligada.',
  },
}
