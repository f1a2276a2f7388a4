"""Words that mean people: pronouns, personal nouns, common first names, and words that mean animals."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """A set of words from one text."""
    return frozenset(words.split())


FIRST = word_set("i me my myself mine im ive")
SECOND = word_set("you your yours yourself ya u ur youre youve thou thee")
HE = word_set("he him his himself hes")
SHE = word_set("she her hers herself shes")
PRONOUNS = FIRST | SECOND | HE | SHE
PLURAL = word_set("we us our ours ourselves they them their theirs themselves yourselves 'em")

TITLES = word_set("mr mr. mrs mrs. ms ms. miss dr dr. prof prof. aunt uncle sir lady lord king queen saint st.")

FEMALE = word_set(
    """woman girl lady mom mommy mother mum mummy ma mama sister sis daughter girlfriend wife aunt auntie grandmother
    grandma granny nana niece goddaughter granddaughter stepmother stepsister queen princess duchess waitress
    actress stewardess hostess heroine bride bridesmaid widow mistress madam ma'am maid nun nurse seamstress chick
    gal lass bitch ex-wife ex-girlfriend fiancee landlady businesswoman policewoman saleswoman spokeswoman witch
    goddess mother-in-law sister-in-law daughter-in-law schoolgirl cowgirl ballerina diva"""
)
MALE = word_set(
    """man guy boy dad daddy father pa papa pop pops brother bro son boyfriend husband hubby uncle grandfather grandpa
    granddad grandson nephew godfather stepfather stepbrother king prince duke waiter actor steward host hero groom
    widower sir mister lord monk priest dude fella fellow lad chap bloke buddy pal bud gentleman ex-husband
    ex-boyfriend fiance landlord businessman policeman salesman spokesman fireman mailman doorman cowboy wizard
    father-in-law brother-in-law son-in-law schoolboy bastard jerk bachelor"""
)
OTHER_PERSONAL = word_set(
    """person somebody one child kid baby infant toddler teenager adult parent sibling cousin twin grandchild
    grandparent stepchild orphan relative spouse partner friend roommate roomie flatmate housemate neighbor
    neighbour colleague coworker co-worker classmate teammate acquaintance companion mate lover date crush ex
    soulmate stranger guest visitor boss manager supervisor director producer president chairman ceo executive
    officer owner founder employer employee worker assistant secretary receptionist intern trainee apprentice clerk
    cashier accountant banker broker buyer seller dealer trader agent lawyer attorney judge juror witness suspect
    prisoner criminal thief burglar robber murderer killer cop detective inspector sheriff guard soldier sergeant
    captain colonel general major lieutenant commander veteran spy doctor doc physician surgeon dentist orthodontist
    pediatrician gynecologist obstetrician psychiatrist psychologist therapist shrink midwife paramedic pharmacist
    vet veterinarian patient donor teacher professor instructor tutor coach trainer principal dean student pupil
    freshman graduate scholar scientist biologist chemist physicist engineer programmer developer designer architect
    builder carpenter plumber electrician mechanic handyman janitor cleaner housekeeper butler nanny babysitter
    sitter cook chef baker butcher bartender barista busboy caterer customer client shopper passenger pilot driver
    chauffeur cabbie sailor farmer gardener hunter fisherman florist tailor hairdresser barber masseuse model dancer
    singer musician drummer guitarist pianist composer conductor artist painter sculptor photographer writer author
    poet novelist journalist reporter editor critic comedian clown magician juggler mime ventriloquist anchor
    announcer narrator star celebrity idol fan follower admirer stalker character extra understudy athlete player
    goalie pitcher quarterback champion winner loser rival opponent enemy nemesis villain victim survivor leader
    mayor governor senator congressman minister ambassador diplomat politician candidate voter citizen resident
    tenant immigrant foreigner tourist traveler traveller pilgrim refugee native local pastor reverend rabbi bishop
    pope saint angel devil demon god godparent genius expert specialist professional amateur beginner newbie noob
    novice geek nerd dork idiot moron fool dummy doofus weirdo freak creep psycho maniac lunatic pervert liar
    cheater traitor coward bully snob brat punk bum slob pig slut whore hooker prostitute virgin sweetheart sweetie
    honey darling dear babe hon love cutie cutie-pie sweetiepie pumpkin treasure newlywed couple sucker slacker
    bigot hippie lesbian feminist vegetarian vegan smoker drinker drunk alcoholic addict junkie gambler usher
    bouncer messenger courier postman salesperson spokesperson chairperson representative consultant adviser advisor
    analyst administrator admin moderator mod op operator maintainer committer reviewer contributor user hacker
    spammer troll lurker sysadmin librarian curator collector inventor explorer adventurer astronaut alien robot
    cannibal caveman emperor knight squire peasant slave servant master mentor disciple prophet philosopher
    historian mathematician economist statistician linguist translator interpreter organizer planner coordinator
    roadie groupie contestant participant speaker listener reader viewer gamer human creature being nobleman
    commoner gossip senior junior elder youngster newcomer outsider insider bystander passerby onlooker escort
    chaperone superintendent exterminator repairman locksmith firefighter lifeguard referee umpire scout ranger
    warden inmate hostage kidnapper hitman gangster mobster boxer wrestler runner swimmer skater surfer cyclist
    biker trucker"""
)
PERSONAL = FEMALE | MALE | OTHER_PERSONAL

NAMES = word_set(
    """aaron abby abe abigail ada adam adele adrian agnes aidan alan albert alec alex alexander alexandra alexis alfred
    alice alicia alison allen allison alma alvin amanda amber amelia amy ana andre andrea andreas andrew andy angel
    angela angie anita ann anna anne annie anthony antonio april archie ariel arnold arthur ashley astrid audrey
    austin ava barbara barney barry bart beatrice becky bella ben benjamin bernard bernie bert beth betty beverly
    bill billy blake bob bobby bonnie boris brad bradley brandon brenda brian bridget bruce bruno bryan caleb calvin
    cameron carl carla carlos carmen carol caroline carrie casey cassandra catherine cathy cecilia charles charlie
    charlotte chelsea cheryl chloe chris christian christina christine christopher cindy claire clara clark claude
    claudia clay cliff clyde cody colin connie connor conrad corey craig cynthia daisy dale dan dana daniel daniela
    danielle danny daphne darren dave david dawn dean deb debbie deborah dennis derek diana diane dick diego dolores
    dominic don donald donna doris dorothy doug douglas drew duncan dustin dylan earl ed eddie edgar edith edmund
    eduardo edward edwin eileen elaine eleanor elena eli elias elijah elizabeth ella ellen elliot elsa emil emily
    emma eric erica erik erin ernest esther ethan eugene eva evan eve evelyn faith fay felix fernando fiona florence
    floyd frances francis frank frankie franklin fred freddie frederick gabriel gail garry gary gavin gene geoffrey
    george gerald gilbert gina ginger glenn gloria gordon grace graham greg gregory greta gretchen gus guy gwen hank
    hannah hans harold harriet harry harvey hazel heather hector heidi helen helena henry herbert herman hilda holly
    homer hope horace howard hubert hugh hugo ian ida igor ike ines ingrid irene iris irma isaac isabel isabella
    ivan ivy jack jackie jackson jacob jade jake james jamie jan jane janet janice jared jasmine jason jay jean
    jeanne jeff jeffrey jen jennifer jenny jeremy jerome jerry jess jesse jessica jill jim jimmy jo joan joanna
    joanne joe joel joey johanna john johnny jon jonah jonas jonathan jordan jorge jose joseph josephine josh joshua
    joy joyce juan juanita judith judy jules julia julian julie juliet julio june justin kai karen karl kate
    katherine kathleen kathryn kathy katie kay keith kelly ken kenneth kenny kevin kim kirk kristen kristin kurt
    kyle lana lance larry laura lauren laurie lawrence leah lee lena leo leon leonard leroy leslie lester lewis liam
    lillian lily linda lisa liz lloyd lois lola lorenzo lori lorraine lou louis louise lucas lucia lucille lucy luis
    luke lydia lynn mabel maggie manuel marc marcel marcia marco marcus margaret maria marian marie marilyn mario
    marion marissa marjorie mark marlene marsha martha martin marty marvin mary mason mathew matt matthew maureen
    maurice max maxine maya megan mel melanie melinda melissa melvin mercedes meredith michael michel michelle
    miguel mike mila miles milton mindy minnie miranda miriam mitch mitchell mohamed molly mona monica morgan morris
    murray myra nadia nancy naomi natalie natasha nathan ned neil nell nicholas nick nicole nigel nina noah noel
    nora norma norman olga oliver olivia olaf omar oscar oswald otto owen pablo paige pam pamela paolo pat patricia
    patrick patty paul paula pauline pedro peggy penny percy perry pete peter petra phil philip phillip phoebe
    phyllis pierre polly priscilla quentin quinn rachel ralph ramon randall randy raphael raquel raul ray raymond
    rebecca regina renee rex rhonda ricardo richard rick ricky rita rob robert roberta roberto robin rod roderick
    rodney roger roland roman ron ronald ronnie rory rosa rose rosemary roxanne ross roy ruben ruby rudy rufus
    rupert russell ruth ryan sabrina sal sally salvador sam samantha samuel sandra sandy sara sarah saul scott sean
    sebastian sergio seth shannon sharon shawn sheila shelley shelly sherry shirley sid sidney simon sofia sonia
    sonja sophia sophie spencer stacy stan stanley stefan stella stephanie stephen steve steven stewart stuart sue
    susan susie suzanne sven sydney sylvia tamara tania tanya tara ted teresa terrence terry thea thelma theodore
    theresa thomas tiffany tim timothy tina toby todd tom tomas tommy toni tony tracy travis trevor trudy tyler
    ulrich ursula valerie vanessa vera vernon veronica vicki victor victoria vince vincent viola violet virginia
    vivian vladimir wade wallace walter wanda warren wayne wendy wilbur will william willie wilma winston wolfgang
    yasmin yolanda yvonne zach zachary zoe"""
)

ANIMALS = word_set(
    """monkey monkeys ape apes dog dogs puppy puppies hound cat cats kitten kitty kittens bird birds parrot chicken hen
    rooster duck ducks goose fish goldfish shark animal animals pet pets vet zoo horse horses pony cow cows pig pigs
    pigeon pigeons rat rats mouse mice turtle tortoise hamster lizard snake frog primate fur tail leash paw paws
    rabies banana bananas creature bear bears wolf fox lion tiger rabbit bunny sheep goat spider bug"""
)
