/** Portuguese words of the softphone. */
import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

export const words: Like<typeof english> = {
  heading: 'Telefone',
  number: 'Ligar de',
  noNumber: 'Nenhum número pode ligar ainda. Conecte um número primeiro.',
  official:
    'As chamadas de números oficiais passam por uma conexão que o seu próprio programa oferece; esta página não pode transmitir o som delas.',
  to: 'Número de telefone',
  toHint: 'Com código do país, por exemplo +55 11 91234-5678',
  dial: 'Ligar',
  accept: 'Atender',
  reject: 'Recusar',
  hangup: 'Desligar',
  mute: 'Silenciar o microfone',
  record: 'Gravar',
  stopRecord: 'Parar a gravação',
  recording: 'Salvar a gravação',
  keys: 'Teclas',
  key: (digit) => `Tecla ${digit}`,
  voiceProcessing: 'Cancelar eco e ruído',
  microphone: 'Microfone',
  usualMicrophone: 'A escolha do navegador',
  status: {
    placing: 'Ligando…',
    INITIATED: 'Ligando…',
    RINGING: 'Chamando',
    ACCEPTED: 'Em chamada',
  },
  incoming: 'Chamada recebida',
  link: {
    opening: 'O som está sendo conectado…',
    lost: 'O som caiu. A chamada continua por 30 segundos enquanto ele é reconectado…',
    taken: 'Outra página assumiu esta chamada.',
  },
  takeBack: 'Retomar a chamada',
  giveBack: 'Devolver a chamada ao robô',
  ended: {
    COMPLETED: 'A chamada terminou.',
    REJECTED: 'A chamada foi recusada.',
    MISSED: 'Ninguém atendeu.',
    FAILED: 'A chamada falhou.',
  },
  lost: 'A conexão não voltou, por isso a chamada foi desligada.',
  barred:
    'O som desta chamada vem de um servidor que entrou depois que esta página foi carregada, por isso a chamada foi desligada. Recarregue a página e ligue de novo.',
  codes: {
    CHANNEL_INSTANCE_NOT_CONNECTED: 'O número não está conectado. Conecte-o e ligue de novo.',
    CALL_INVALID_STATE: 'A chamada terminou, ou outra pessoa a atendeu.',
  },
  because: (code) => `Motivo: ${code}`,
  faults: {
    refused:
      'Esta página não pode usar o microfone, por isso você não é ouvido. Permita-o ao lado do endereço da página e tente de novo.',
    missing: 'Nenhum microfone foi encontrado, por isso você não é ouvido. Conecte um e tente de novo.',
    busy: 'Outro programa usa o microfone, por isso você não é ouvido. Feche-o lá e tente de novo.',
    insecure:
      'Navegadores não dão microfone a páginas sem https, por isso você não é ouvido. Abra esta página por https.',
    failed: 'Não foi possível abrir o microfone, por isso você não é ouvido.',
  },
  again: 'Tentar o microfone de novo',
  meters: { mic: 'Seu microfone', peer: 'O outro lado' },
  decibels: (level) => `${level} dBFS`,
  stats: {
    rttMs: 'Ida e volta',
    lost: 'Pacotes perdidos',
    queuedMs: 'Em espera aqui',
    underruns: 'Falhas aqui',
  },
}
