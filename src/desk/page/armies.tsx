/** All armies of this user, running ones first; choosing one shows it. */
import { useEffect, useState } from "preact/hooks";
import type { ListedArmy } from "../../summon/archive/list-armies.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import type { DeskCalls } from "./call-desk.ts";
import { useTexts } from "./page-parts.tsx";

interface ArmiesProps {
  army: string;
  calls: DeskCalls;
  now: number;
  onShow: (army: string) => void;
}

export function Armies({ army, calls, now, onShow }: ArmiesProps) {
  const { armies: words, status, desk } = useTexts();
  const [armies, setArmies] = useState<ListedArmy[]>([]);
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const answer = await calls.get<ListedArmy[]>("armies");
      if ("value" in answer) setArmies(answer.value);
    };
    void look();
    const timer = window.setInterval(() => void look(), 10_000);
    return () => window.clearInterval(timer);
  }, [calls]);
  if (armies.length === 0) return null;
  return (
    <section aria-labelledby="armies">
      <h2 id="armies">{desk.page.armies}</h2>
      <ul class="armies">
        {armies.map(({ name, key, state, unread, folder, summoned, ended }) => {
          const moment = ended?.at ?? summoned;
          return (
            <li key={name}>
              <button type="button" aria-pressed={key === army} onClick={() => onShow(key)}>
                <b>{cleanForScreen(name)}</b> {words.states[state]}{" "}
                {moment !== null && status.age((now - Date.parse(moment)) / 1_000)}{" "}
                {unread > 0 && desk.page.unread(unread)} <small>{cleanForScreen(folder ?? "")}</small>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
