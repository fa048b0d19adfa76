package bot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.Value;

// Generated from the tables of fields in SPEC.md: do not edit.

/** All that your seat may know (SPEC 10.3); each kind of game has its record. */
sealed interface View permits View.TrickView, View.NopeView {

  // Every view has these; its record says what they mean.

  String game();

  int seats();

  int seat();

  Map<String, Value> options();

  String phase();

  int dealer();

  Integer turn();

  List<String> hand();

  List<Integer> handSizes();

  /** Null in a game that is not here. */
  static View read(ByteBuffer packed) throws IOException {
    return switch (Unpack.text(Unpack.from(packed), "game")) {
      case "nyet", "njet", "njet-it" -> TrickView.read(Unpack.from(packed));
      case "nope" -> NopeView.read(Unpack.from(packed));
      default -> null;
    };
  }

  /**
   * The round finished last.
   *
   * @param round its number, from 1
   * @param dealer its dealer
   * @param first row 1: its first player
   * @param discard row 2: the open box
   * @param trump row 3: a colour letter, or {@code -} for none
   * @param supertrump row 4: a colour letter, or {@code -} for none
   * @param points row 5: what a trick and a piece of loot were worth
   * @param team the first player's team, ascending
   * @param bonus the seat that held the bonus card; null with 2 or 4 seats
   * @param tricksWon by seat, the tricks taken
   * @param loot by seat, the loot captured
   * @param scored by seat, the points of that round alone
   * @param lastLeader the seat that led its last trick
   * @param lastTrick the cards of its last trick, in order of play
   * @param lastWinner the seat that took it
   */
  record PreviousRound(
      int round,
      int dealer,
      int first,
      String discard,
      String trump,
      String supertrump,
      int points,
      List<Integer> team,
      Integer bonus,
      List<Integer> tricksWon,
      List<Integer> loot,
      List<Integer> scored,
      int lastLeader,
      List<String> lastTrick,
      int lastWinner) {

    static PreviousRound read(MessageUnpacker in) throws IOException {
      Integer round = null;
      Integer dealer = null;
      Integer first = null;
      String discard = null;
      String trump = null;
      String supertrump = null;
      Integer points = null;
      List<Integer> team = null;
      Integer bonus = null;
      List<Integer> tricksWon = null;
      List<Integer> loot = null;
      List<Integer> scored = null;
      Integer lastLeader = null;
      List<String> lastTrick = null;
      Integer lastWinner = null;
      for (int left = in.unpackMapHeader(); left > 0; left--) {
        switch (in.unpackString()) {
          case "round" -> round = in.unpackInt();
          case "dealer" -> dealer = in.unpackInt();
          case "first" -> first = in.unpackInt();
          case "discard" -> discard = in.unpackString();
          case "trump" -> trump = in.unpackString();
          case "supertrump" -> supertrump = in.unpackString();
          case "points" -> points = in.unpackInt();
          case "team" -> team = Unpack.numbers(in);
          case "bonus" -> bonus = Unpack.orNull(in, MessageUnpacker::unpackInt);
          case "tricks_won" -> tricksWon = Unpack.numbers(in);
          case "loot" -> loot = Unpack.numbers(in);
          case "scored" -> scored = Unpack.numbers(in);
          case "last_leader" -> lastLeader = in.unpackInt();
          case "last_trick" -> lastTrick = Unpack.texts(in);
          case "last_winner" -> lastWinner = in.unpackInt();
          default -> in.skipValue();
        }
      }
      return new PreviousRound(
          Unpack.there(round, "round"),
          Unpack.there(dealer, "dealer"),
          Unpack.there(first, "first"),
          Unpack.there(discard, "discard"),
          Unpack.there(trump, "trump"),
          Unpack.there(supertrump, "supertrump"),
          Unpack.there(points, "points"),
          Unpack.there(team, "team"),
          bonus,
          Unpack.there(tricksWon, "tricks_won"),
          Unpack.there(loot, "loot"),
          Unpack.there(scored, "scored"),
          Unpack.there(lastLeader, "last_leader"),
          Unpack.there(lastTrick, "last_trick"),
          Unpack.there(lastWinner, "last_winner"));
    }
  }

  /**
   * A view of nyet, njet and njet-it.
   *
   * @param game the name of the rule set (11.1)
   * @param seats how many sit at the table
   * @param seat your seat, from 0
   * @param options every option of 11.7 with the value in force
   * @param round the round being played, from 1
   * @param rounds the match has at most so many rounds
   * @param phase {@code tokens}, {@code team}, {@code discard} (or pass) or {@code play}: what is
   *     asked for (11.3); {@code over}
   * @param dealer this round's dealer
   * @param turn the seat that owes a decision; null in phase {@code discard}, where all do, and
   *     when over
   * @param scores by seat, the points of all finished rounds
   * @param hand your cards, in the order of 11.10, copies repeated, without those you have chosen
   *     to discard or pass
   * @param handSizes by seat, the cards held; in phase {@code discard} still those dealt
   * @param open the boxes not covered, in the order of 11.10
   * @param tokens the boxes covered this round, first to last
   * @param firstToken the seat that placed, or will place, the first token; the others follow
   *     clockwise
   * @param first row 1: the first player; null until all rows are settled
   * @param discard row 2: the open box, such as {@code 1x}; null until settled
   * @param trump row 3: a colour letter, or {@code -} for none; null until settled
   * @param supertrump row 4: a colour letter, or {@code -} for none; null until settled
   * @param points row 5: what a trick and a piece of loot are worth; null until settled
   * @param team the first player's team, ascending; all others are the other team; null until
   *     chosen
   * @param bonus the seat that holds the bonus card; null until chosen, and with 2 or 4 seats
   * @param given the cards you have discarded or passed this round, as chosen
   * @param received the cards passed to you this round, once all have chosen
   * @param tricks every trick of the round, each its cards in order of play; no trick before phase
   *     {@code play}; in phase {@code play} the last is the open one, and may be empty
   * @param leaders for each of {@code tricks}, the seat that led it
   * @param tricksWon by seat, the tricks taken this round
   * @param loot by seat, the loot captured this round (11.6)
   * @param previous the round finished last; null in the first round
   */
  record TrickView(
      String game,
      int seats,
      int seat,
      Map<String, Value> options,
      int round,
      int rounds,
      String phase,
      int dealer,
      Integer turn,
      List<Integer> scores,
      List<String> hand,
      List<Integer> handSizes,
      List<String> open,
      List<String> tokens,
      int firstToken,
      Integer first,
      String discard,
      String trump,
      String supertrump,
      Integer points,
      List<Integer> team,
      Integer bonus,
      List<String> given,
      List<String> received,
      List<List<String>> tricks,
      List<Integer> leaders,
      List<Integer> tricksWon,
      List<Integer> loot,
      PreviousRound previous)
      implements View {

    static TrickView read(MessageUnpacker in) throws IOException {
      String game = null;
      Integer seats = null;
      Integer seat = null;
      Map<String, Value> options = null;
      Integer round = null;
      Integer rounds = null;
      String phase = null;
      Integer dealer = null;
      Integer turn = null;
      List<Integer> scores = null;
      List<String> hand = null;
      List<Integer> handSizes = null;
      List<String> open = null;
      List<String> tokens = null;
      Integer firstToken = null;
      Integer first = null;
      String discard = null;
      String trump = null;
      String supertrump = null;
      Integer points = null;
      List<Integer> team = null;
      Integer bonus = null;
      List<String> given = null;
      List<String> received = null;
      List<List<String>> tricks = null;
      List<Integer> leaders = null;
      List<Integer> tricksWon = null;
      List<Integer> loot = null;
      PreviousRound previous = null;
      for (int left = in.unpackMapHeader(); left > 0; left--) {
        switch (in.unpackString()) {
          case "game" -> game = in.unpackString();
          case "seats" -> seats = in.unpackInt();
          case "seat" -> seat = in.unpackInt();
          case "options" -> options = Unpack.map(in);
          case "round" -> round = in.unpackInt();
          case "rounds" -> rounds = in.unpackInt();
          case "phase" -> phase = in.unpackString();
          case "dealer" -> dealer = in.unpackInt();
          case "turn" -> turn = Unpack.orNull(in, MessageUnpacker::unpackInt);
          case "scores" -> scores = Unpack.numbers(in);
          case "hand" -> hand = Unpack.texts(in);
          case "hand_sizes" -> handSizes = Unpack.numbers(in);
          case "open" -> open = Unpack.texts(in);
          case "tokens" -> tokens = Unpack.texts(in);
          case "first_token" -> firstToken = in.unpackInt();
          case "first" -> first = Unpack.orNull(in, MessageUnpacker::unpackInt);
          case "discard" -> discard = Unpack.orNull(in, MessageUnpacker::unpackString);
          case "trump" -> trump = Unpack.orNull(in, MessageUnpacker::unpackString);
          case "supertrump" -> supertrump = Unpack.orNull(in, MessageUnpacker::unpackString);
          case "points" -> points = Unpack.orNull(in, MessageUnpacker::unpackInt);
          case "team" -> team = Unpack.orNull(in, Unpack::numbers);
          case "bonus" -> bonus = Unpack.orNull(in, MessageUnpacker::unpackInt);
          case "given" -> given = Unpack.texts(in);
          case "received" -> received = Unpack.texts(in);
          case "tricks" -> tricks = Unpack.list(in, Unpack::texts);
          case "leaders" -> leaders = Unpack.numbers(in);
          case "tricks_won" -> tricksWon = Unpack.numbers(in);
          case "loot" -> loot = Unpack.numbers(in);
          case "previous" -> previous = Unpack.orNull(in, PreviousRound::read);
          default -> in.skipValue();
        }
      }
      return new TrickView(
          Unpack.there(game, "game"),
          Unpack.there(seats, "seats"),
          Unpack.there(seat, "seat"),
          Unpack.there(options, "options"),
          Unpack.there(round, "round"),
          Unpack.there(rounds, "rounds"),
          Unpack.there(phase, "phase"),
          Unpack.there(dealer, "dealer"),
          turn,
          Unpack.there(scores, "scores"),
          Unpack.there(hand, "hand"),
          Unpack.there(handSizes, "hand_sizes"),
          Unpack.there(open, "open"),
          Unpack.there(tokens, "tokens"),
          Unpack.there(firstToken, "first_token"),
          first,
          discard,
          trump,
          supertrump,
          points,
          team,
          bonus,
          Unpack.there(given, "given"),
          Unpack.there(received, "received"),
          Unpack.there(tricks, "tricks"),
          Unpack.there(leaders, "leaders"),
          Unpack.there(tricksWon, "tricks_won"),
          Unpack.there(loot, "loot"),
          previous);
    }
  }

  /**
   * What must be laid.
   *
   * @param count how many cards
   * @param colours the letters of the colours, in the order {@code RGBY}
   */
  record Demand(int count, String colours) {

    static Demand read(MessageUnpacker in) throws IOException {
      Integer count = null;
      String colours = null;
      for (int left = in.unpackMapHeader(); left > 0; left--) {
        switch (in.unpackString()) {
          case "count" -> count = in.unpackInt();
          case "colours" -> colours = in.unpackString();
          default -> in.skipValue();
        }
      }
      return new Demand(Unpack.there(count, "count"), Unpack.there(colours, "colours"));
    }
  }

  /**
   * The choice that made a demand.
   *
   * @param by the seat that made it
   * @param to the seat it named
   */
  record Choice(int by, int to) {

    static Choice read(MessageUnpacker in) throws IOException {
      Integer by = null;
      Integer to = null;
      for (int left = in.unpackMapHeader(); left > 0; left--) {
        switch (in.unpackString()) {
          case "by" -> by = in.unpackInt();
          case "to" -> to = in.unpackInt();
          default -> in.skipValue();
        }
      }
      return new Choice(Unpack.there(by, "by"), Unpack.there(to, "to"));
    }
  }

  /**
   * A turn that a seat has finished.
   *
   * @param number counted from 1, over the turns of all seats
   * @param count of the demand
   * @param colours of the demand
   * @param drawn how many cards were drawn
   * @param laid each card laid, in order, none being Nope; and the choice for a select, if one was
   *     made
   */
  record NopeTurn(int number, int count, String colours, int drawn, List<String> laid) {

    static NopeTurn read(MessageUnpacker in) throws IOException {
      int rest = Unpack.rest(in, 4);
      return new NopeTurn(
          in.unpackInt(),
          in.unpackInt(),
          in.unpackString(),
          in.unpackInt(),
          Unpack.texts(in, rest));
    }
  }

  /**
   * A view of nope.
   *
   * @param game {@code nope}
   * @param seats how many sit at the table
   * @param seat your seat, from 0
   * @param options every option of 12.8 with the value in force
   * @param phase {@code lay}: a turn (12.4); {@code set}: you have begun a set, which only you see
   *     yet; {@code choose}: a select asks for its choice (12.5); {@code over}
   * @param dealer the dealer; the next seat began
   * @param turn the seat that owes a decision; null when over
   * @param turns turns finished so far, by all seats together
   * @param hand your cards, in the order of 12.10, copies repeated
   * @param chosen the cards of your set so far, no longer in {@code hand}
   * @param handSizes by seat, the cards held, those in {@code chosen} included
   * @param demand what must be laid (12.3): {@code {"count":2,"colours":"RG"}}, colours in the
   *     order {@code RGBY}; null while a choice is open, and when over
   * @param choice the choice that made this demand: {@code {"by":0,"to":2}}, the seat that made it
   *     and the seat it named; it stays under see-throughs, though another seat plays; null where a
   *     card made it
   * @param discard the whole discard pile, bottom to top
   * @param drawPile how many cards the draw pile has
   * @param out the seats that are out, in the order they went
   * @param drew cards drawn so far in the turn being taken; in phase {@code choose} those drawn in
   *     the turn that laid the select, 0 if it was opened first; 0 when over
   * @param recent by seat, its last four turns, oldest first. A turn is a list: its number, counted
   *     from 1 over the turns of all seats as {@code turns} is; the count and the colours demanded;
   *     how many cards were drawn; each card laid, in order, none being Nope; and the choice for a
   *     select, if one was made: {@code [17,2,"RG",0,"SR","to2:3"]}
   * @param places by seat, its place, from 1; null until over
   * @param ending how the match ended (10.1); null until over
   */
  record NopeView(
      String game,
      int seats,
      int seat,
      Map<String, Value> options,
      String phase,
      int dealer,
      Integer turn,
      int turns,
      List<String> hand,
      List<String> chosen,
      List<Integer> handSizes,
      Demand demand,
      Choice choice,
      List<String> discard,
      int drawPile,
      List<Integer> out,
      int drew,
      List<List<NopeTurn>> recent,
      List<Integer> places,
      String ending)
      implements View {

    static NopeView read(MessageUnpacker in) throws IOException {
      String game = null;
      Integer seats = null;
      Integer seat = null;
      Map<String, Value> options = null;
      String phase = null;
      Integer dealer = null;
      Integer turn = null;
      Integer turns = null;
      List<String> hand = null;
      List<String> chosen = null;
      List<Integer> handSizes = null;
      Demand demand = null;
      Choice choice = null;
      List<String> discard = null;
      Integer drawPile = null;
      List<Integer> out = null;
      Integer drew = null;
      List<List<NopeTurn>> recent = null;
      List<Integer> places = null;
      String ending = null;
      for (int left = in.unpackMapHeader(); left > 0; left--) {
        switch (in.unpackString()) {
          case "game" -> game = in.unpackString();
          case "seats" -> seats = in.unpackInt();
          case "seat" -> seat = in.unpackInt();
          case "options" -> options = Unpack.map(in);
          case "phase" -> phase = in.unpackString();
          case "dealer" -> dealer = in.unpackInt();
          case "turn" -> turn = Unpack.orNull(in, MessageUnpacker::unpackInt);
          case "turns" -> turns = in.unpackInt();
          case "hand" -> hand = Unpack.texts(in);
          case "chosen" -> chosen = Unpack.texts(in);
          case "hand_sizes" -> handSizes = Unpack.numbers(in);
          case "demand" -> demand = Unpack.orNull(in, Demand::read);
          case "choice" -> choice = Unpack.orNull(in, Choice::read);
          case "discard" -> discard = Unpack.texts(in);
          case "draw_pile" -> drawPile = in.unpackInt();
          case "out" -> out = Unpack.numbers(in);
          case "drew" -> drew = in.unpackInt();
          case "recent" -> recent = Unpack.list(in, each -> Unpack.list(each, NopeTurn::read));
          case "places" -> places = Unpack.orNull(in, Unpack::numbers);
          case "ending" -> ending = Unpack.orNull(in, MessageUnpacker::unpackString);
          default -> in.skipValue();
        }
      }
      return new NopeView(
          Unpack.there(game, "game"),
          Unpack.there(seats, "seats"),
          Unpack.there(seat, "seat"),
          Unpack.there(options, "options"),
          Unpack.there(phase, "phase"),
          Unpack.there(dealer, "dealer"),
          turn,
          Unpack.there(turns, "turns"),
          Unpack.there(hand, "hand"),
          Unpack.there(chosen, "chosen"),
          Unpack.there(handSizes, "hand_sizes"),
          demand,
          choice,
          Unpack.there(discard, "discard"),
          Unpack.there(drawPile, "draw_pile"),
          Unpack.there(out, "out"),
          Unpack.there(drew, "drew"),
          Unpack.there(recent, "recent"),
          places,
          ending);
    }
  }
}
