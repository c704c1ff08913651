/** What `ovld continue` says. */
import type { Language } from "../army/words.ts";

interface ContinueTexts {
  continued(roles: string): string;
  nobody(roles: string): string;
}

export const CONTINUE_TEXTS: Record<Language, ContinueTexts> = {
  en: {
    continued: (roles) => `Running again: ${roles}.`,
    nobody: (roles) => `None of these agents is suspended: ${roles}.`,
  },
  ja: {
    continued: (roles) => `再開しました: ${roles}`,
    nobody: (roles) => `一時停止しているエージェントはありません: ${roles}`,
  },
};
